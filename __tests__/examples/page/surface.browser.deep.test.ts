/** How the page of the example looks, and what it is without a mouse, in a real browser. */
import './surface.cases';
