/** VitePress's own theme, with the first page's buttons, and code that wraps on narrow screens. */
import DefaultTheme from 'vitepress/theme';
import './style.css';

export default DefaultTheme;
