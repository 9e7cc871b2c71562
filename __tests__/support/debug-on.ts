/** Import it first: the library reads DEBUG when it is loaded. */
process.env['DEBUG'] = 'patch-options:*';
