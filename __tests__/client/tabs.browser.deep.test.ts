/** The same, at full size. */
import './tabs.browser.test';
