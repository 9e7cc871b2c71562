/** What the page of the example does, in a real browser, which is started once. */
import './conflicts.cases';
import './editing.cases';
import './overlaps.cases';
import './preflights.cases';
import './stream.cases';
