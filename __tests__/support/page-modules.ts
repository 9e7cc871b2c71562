import { compileFunction } from 'node:vm';
import ts from 'typescript';

type Names = Readonly<Record<string, unknown>>;

/** Runs the text of a module in TypeScript, with these names around it, and returns what it exports. */
export function evaluate(
  text: string,
  around: Names,
  load: (name: string) => unknown,
): Record<string, unknown> {
  const { outputText } = ts.transpileModule(text, {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      esModuleInterop: true,
      experimentalDecorators: true,
      useDefineForClassFields: false,
    },
  });
  const exported: Record<string, unknown> = {};
  // Jest's `process`, whose environment is the one that tests set.
  const run = compileFunction(outputText, ['require', 'exports', 'process', ...Object.keys(around)]);
  Reflect.apply(run, undefined, [load, exported, process, ...Object.values(around)]);
  return exported;
}

/** The modules of a page, which import each other and what `load` gives: each runs once. */
export class PageModules {
  readonly #texts: ReadonlyMap<string, string>;
  readonly #load: (name: string) => unknown;
  readonly #around: Names;
  readonly #loaded = new Map<string, Record<string, unknown>>();

  /** @param texts - by their names without `.ts` */
  constructor(texts: ReadonlyMap<string, string>, load: (name: string) => unknown, around: Names = {}) {
    this.#texts = texts;
    this.#load = load;
    this.#around = around;
  }

  load(name: string): Record<string, unknown> {
    const loaded = this.#loaded.get(name) ?? evaluate(this.#text(name), this.#around, this.#require);
    this.#loaded.set(name, loaded);
    return loaded;
  }

  /** Runs a module that awaits, to its end. */
  async run(name: string): Promise<void> {
    const text = this.#text(name);
    const imports = text.match(/^import .*$/gm) ?? [];
    const body = text.replaceAll(/^import .*$/gm, '');
    const code = `${imports.join('\n')}\nexport const done = (async () => {\n${body}\n})();`;
    await evaluate(code, this.#around, this.#require)['done'];
  }

  readonly #require = (name: string): unknown =>
    this.#texts.has(name.slice(2)) ? this.load(name.slice(2)) : this.#load(name);

  #text(name: string): string {
    const text = this.#texts.get(name);
    if (text === undefined) throw new Error(`The page shows no module ${name}.`);
    return text;
  }
}
