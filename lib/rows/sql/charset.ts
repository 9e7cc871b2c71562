/**
 * Thrown if a connection of mysql2 has a character set that lacks characters, so that keys and values would
 * be changed.
 */
export class CharsetError extends Error {
  override readonly name = 'CharsetError';
  readonly code = 'PATCH_OPTIONS_CHARSET';

  /** @param charset - of the connection, such as `'latin1'` */
  constructor(charset: string) {
    super(
      `The character set of the connection is ${charset}, in which keys and values lose characters. ` +
        `Set charset: 'utf8mb4' in createPool() of mysql2, and send neither SET NAMES nor SET CHARACTER SET.`,
    );
  }
}
