/** The same over clusters too, and with more cuts. */
import './cut-connections.test';
