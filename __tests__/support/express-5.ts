/** Before each fast test: apps are of Express 5, unless EXPRESS names the other release. */
process.env['EXPRESS'] ??= '5';
