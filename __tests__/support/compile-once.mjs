import vm from 'node:vm';

/** What V8 has compiled of a file, with the functions that were called. */
const compiled = new Map();
const { compileFunction } = vm;

/**
 * For Jest, which loads each module anew for each test file, about 300 of them, and has V8 compile each anew. It saves a tenth of the
 * processor time of a run.
 */
vm.compileFunction = (body, parameters, options) => {
  if (options?.parsingContext === undefined || options.filename === undefined) {
    return compileFunction(body, parameters, options);
  }
  const { filename, parsingContext } = options;
  const head = `(function (${parameters.join(', ')}) {`;
  const source = `${head}${body}\n})`;
  const before = compiled.get(filename);
  const isSame = before?.source === source;
  const cachedData = isSame ? (before.data ??= before.script.createCachedData()) : undefined;
  const script = new vm.Script(source, { filename, columnOffset: -head.length, cachedData });
  if (!isSame) compiled.set(filename, { source, script });
  return script.runInContext(parsingContext);
};
