/** The same tests over every row. */
import './web-platform.browser.test';
