/** The same over MariaDB, too. */
import './patch.test';
