/** How the page of the example looks, what it is without a mouse, and what becomes of drafts and in long outages, in a real browser. */
import './ended-drafts.cases';
import './layout.cases';
import './long-outages.cases';
import './surface.cases';
