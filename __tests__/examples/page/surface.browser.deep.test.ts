/** How the page of the example looks, what it is without a mouse, and what it does in a long outage, in a real browser. */
import './long-outages.cases';
import './surface.cases';
