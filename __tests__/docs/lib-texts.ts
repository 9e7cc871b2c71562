/** What lib/ says of options, of codes and of errors, in the comments that editors show, for the pages that say the same. */
import { join } from 'node:path';
import ts from 'typescript';
import { compile } from '../types/compiler';

const lib = join(__dirname, '../../lib');

/** The files that the package's entry points name. */
export const entries = [
  'index',
  'stores/sqlite/index',
  'stores/postgres/index',
  'stores/redis/index',
  'rows/index',
  'mongoose/index',
  'explain/index',
  'client/index',
  'testing/index',
].map((entry) => join(lib, `${entry}.ts`));

export interface OptionText {
  /** The type of an option, and its default: `Type: … Default: …` */
  readonly type: string;
  /** What the option does. */
  readonly text: string;
}

/** Types whose name says more than their definition. */
const named = new Set([
  'OriginRule',
  'ColumnKind',
  'ColumnCodec',
  'Fetch',
  'RequestHeaders',
  'StandardSchema',
]);

export class LibTexts {
  readonly #checker: ts.TypeChecker;
  readonly #files: readonly ts.SourceFile[];
  readonly #types: ReadonlyMap<string, ts.Symbol>;

  constructor(program = compile([...entries, join(lib, 'http/problem-codes.ts')])) {
    this.#checker = program.getTypeChecker();
    this.#files = program.getSourceFiles().filter(({ fileName }) => fileName.startsWith(lib));
    this.#types = new Map(this.#files.flatMap((file) => this.#namedTypes(file)));
  }

  /** An option by the type that has it and its name, which can be a path: `limits.bytes`. */
  option(type: string, name: string): OptionText | undefined {
    let found: ts.Symbol | undefined;
    let holder: ts.Type | undefined = this.#checker.getDeclaredTypeOfSymbol(this.#type(type));
    for (const part of name.split('.')) {
      found = holder?.getProperty(part);
      holder = found && this.#checker.getNonNullableType(this.#checker.getTypeOfSymbol(found));
    }
    return found && this.#say(found);
  }

  /** The paragraphs about each code of a union such as `MistakeCode`. */
  union(type: string): ReadonlyMap<string, readonly string[]> {
    const [declaration] = this.#type(type).declarations ?? [];
    // The comment of a literal is no part of the tree.
    const text = declaration?.getText() ?? '';
    const members = text.matchAll(/\/\*\*\s((?:(?!\*\/)[^])*)\*\/\s*\| '([\w-]+)'/g);
    return new Map(
      [...members].map(([, comment = '', code = '']) => [
        code,
        paragraphsOf(comment.replaceAll(/^ *\* ?/gm, '')),
      ]),
    );
  }

  /** The status of each problem, and the paragraphs about it. */
  problems(): ReadonlyMap<string, readonly string[]> {
    const members = this.#checker.getDeclaredTypeOfSymbol(this.#type('Problems')).getProperties();
    return new Map(
      members.map((member) => {
        const status = this.#checker.typeToString(this.#checker.getTypeOfSymbol(member));
        return [member.name, [status, ...paragraphsOf(this.#comment(member))]];
      }),
    );
  }

  /** The code of each error class, and what its comment says. */
  errors(): ReadonlyMap<string, readonly string[]> {
    const classes = this.#files.flatMap(({ statements }) => statements.filter(ts.isClassDeclaration));
    return new Map(
      classes.flatMap(({ name }) => {
        const symbol = name && this.#checker.getSymbolAtLocation(name);
        const [, code] =
          /readonly code = '(PATCH_OPTIONS_\w+)'/.exec(symbol?.declarations?.[0]?.getText() ?? '') ?? [];
        if (symbol === undefined || code === undefined) return [];
        return [[symbol.name, [`\`${code}\``, paragraphsOf(this.#comment(symbol)).join(' ')]] as const];
      }),
    );
  }

  #type(name: string): ts.Symbol {
    const symbol = this.#types.get(name);
    if (symbol === undefined) throw new Error(`lib/ has no type ${name}`);
    return symbol;
  }

  #namedTypes(file: ts.SourceFile): [string, ts.Symbol][] {
    return file.statements
      .filter((each) => ts.isInterfaceDeclaration(each) || ts.isTypeAliasDeclaration(each))
      .flatMap(({ name }) => {
        const symbol = this.#checker.getSymbolAtLocation(name);
        return symbol === undefined ? [] : [[name.text, symbol] as [string, ts.Symbol]];
      });
  }

  #comment(symbol: ts.Symbol): string {
    return ts.displayPartsToString(symbol.getDocumentationComment(this.#checker));
  }

  #say(option: ts.Symbol): OptionText {
    const whole = this.#comment(option).replaceAll(/\s+/g, ' ');
    const [, text = '', end] = /^(.*?)(?: Default:? (.*))?$/.exec(whole) ?? [];
    const isRequired = (option.flags & ts.SymbolFlags.Optional) === 0;
    const type = this.#printType(option);
    const parts = [
      ...(/^`(?:unknown|[A-Z])`$/.test(type) ? [] : [`Type: ${type}.`]),
      ...(end === undefined ? [] : [`Default: ${end}`]),
      ...(end === undefined && isRequired ? ['Required.'] : []),
    ];
    return { type: parts.join(' '), text: [text, ...this.#returned(option)].join(' ') };
  }

  #returned(option: ts.Symbol): string[] {
    return option
      .getJsDocTags(this.#checker)
      .filter(({ name }) => name === 'returns')
      .map((tag) => `Returns ${ts.displayPartsToString(tag.text).replaceAll(/\s+/g, ' ')}.`);
  }

  #printType(option: ts.Symbol): string {
    const [declaration] = option.declarations ?? [];
    const whole =
      declaration !== undefined && ts.isMethodSignature(declaration)
        ? this.#printCall(declaration)
        : declaration !== undefined && ts.isPropertySignature(declaration) && declaration.type !== undefined
          ? this.#print(declaration.type)
          : this.#checker.typeToString(this.#checker.getTypeOfSymbol(option));
    const short = whole
      .replace(/ \| undefined$/, '')
      .replaceAll(/ \| Promise<[^>]*>/g, '')
      .replaceAll(/(\(\(.*\) => )(.*)\) \| \1Promise<\2>\)/g, '$1$2)');
    return `\`${short}\`${/Promise</.test(whole) ? '; the function can be `async`' : ''}`;
  }

  #print(node: ts.TypeNode): string {
    const all = [...new Set(this.#alternatives(node))];
    return all.length === 1
      ? String(all[0])
      : all.map((text) => (text.includes('=>') ? `(${text})` : text)).join(' | ');
  }

  /** The members of a union; an alias of a function, a literal or a union counts as what it stands for. */
  #alternatives(node: ts.TypeNode): string[] {
    if (ts.isUnionTypeNode(node)) return node.types.flatMap((each) => this.#alternatives(each));
    if (ts.isParenthesizedTypeNode(node) || ts.isTypeOperatorNode(node)) return this.#alternatives(node.type);
    if (ts.isIntersectionTypeNode(node)) return this.#alternatives(node.types[0] ?? node);
    if (ts.isFunctionTypeNode(node)) return [this.#printCall(node)];
    if (ts.isArrayTypeNode(node)) return [this.#printList(node.elementType)];
    if (!ts.isTypeReferenceNode(node)) return [node.getText()];
    const name = node.typeName.getText();
    const [first, second] = node.typeArguments ?? [];
    if (name === 'Awaitable' && first) return [this.#print(first), `Promise<${this.#print(first)}>`];
    if (name === 'Promise' && first) return [`Promise<${this.#print(first)}>`];
    if ((name === 'Readonly' || name === 'Partial') && first) return this.#alternatives(first);
    if (name === 'Record' && second) return [`Record<string, ${this.#print(second)}>`];
    const target = this.#types.get(name)?.declarations?.[0];
    if (target === undefined || named.has(name)) return [name];
    if (ts.isTypeAliasDeclaration(target))
      return ts.isIntersectionTypeNode(target.type) ? [name] : this.#alternatives(target.type);
    const members = this.#checker.getTypeAtLocation(node).getProperties();
    return members.length > 4 ? [name] : [`{ ${members.map((member) => member.name).join(', ')} }`];
  }

  #printList(element: ts.TypeNode): string {
    const text = this.#print(element);
    return /[|=]/.test(text) ? `(${text})[]` : `${text}[]`;
  }

  #printCall({ parameters, type }: ts.SignatureDeclaration): string {
    const names = parameters.map(({ name }) => name.getText());
    return `(${names.join(', ')}) => ${type === undefined ? 'unknown' : this.#print(type)}`;
  }
}

function paragraphsOf(comment: string): string[] {
  return comment
    .trim()
    .split(/\n\s*\n/)
    .map((text) => text.replaceAll(/\s+/g, ' '));
}
