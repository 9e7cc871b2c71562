/** What the page of the example does, in a real browser, which is started once. */
import './conflicts.cases';
import './drafts.cases';
import './editing.cases';
import './exchanges.cases';
import './outages.cases';
import './overlaps.cases';
import './preflights.cases';
import './side-by-side.cases';
import './stream.cases';
import './tabs.cases';
