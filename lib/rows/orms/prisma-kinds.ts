import { type Kind, toColumnKind } from '../kind';
import type { SchemaColumn } from '../rows';

/** The kinds of Prisma's types, and of the types of the database that change them. */
export const prismaKinds: ReadonlyMap<string, Kind> = new Map([
  ['String', 'string'],
  ['String @db.Uuid', 'uuid'],
  ['Boolean', 'boolean'],
  ['Int', 'integer'],
  ['BigInt', 'bigint'],
  ['Float', 'number'],
  ['Decimal', 'decimal'],
  ['DateTime', 'date'],
  ['DateTime @db.Date', 'day'],
  ['DateTime @db.Time', 'time'],
  ['Json', 'json'],
]);

/**
 * The columns of a model, from the text of the schema: Prisma has it in every client, and nothing else in a client says
 * what can be NULL, what is a list, and what is a day.
 */
export function readPrismaColumns(schema: string, model: string): Readonly<Record<string, SchemaColumn>> {
  const blocks = readBlocks(schema);
  const lines = blocks.get(model)?.lines ?? [];
  const [, key = ''] = /^@@id\(.*?\[(.*?)\]/m.exec(lines.join('\n')) ?? [];
  const keys = key.replace(/\(.*?\)/g, '').split(/\s*,\s*/);
  const columns = lines.flatMap((line): [string, SchemaColumn][] => {
    const [, name, type = '', mark, attributes = ''] =
      /^(\w+)\s+(\w+)(?:\([^)]*\))?(\?|\[\])?(.*)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const block = blocks.get(type);
    if (block !== undefined && block.keyword !== 'enum') return [[name, { type: 'relation' }]];
    // After the name of the datasource, which is `db` by custom.
    const [, native] = /@\w+\.(Uuid|Date|Timetz|Time)\b/.exec(attributes) ?? [];
    const declared = native === undefined ? type : `${type} @db.${native}`;
    const values = block?.lines.flatMap((value) => /^\w+/.exec(value)?.[0] ?? []);
    const kind = values === undefined ? prismaKinds.get(declared) : 'string';
    const isGenerated = /@id\b|@updatedAt\b|@default\(autoincrement\(/.test(attributes);
    return [
      [
        name,
        {
          type: declared,
          kind: kind && toColumnKind(kind, mark === '[]', mark === '?'),
          values,
          readOnly: isGenerated || keys.includes(name),
        },
      ],
    ];
  });
  return Object.fromEntries(columns);
}

interface Block {
  readonly keyword: string;
  readonly lines: readonly string[];
}

/** The blocks of a schema, such as `model Note { … }`, by their names, without comments. */
function readBlocks(schema: string): ReadonlyMap<string, Block> {
  const text = schema.replace(
    /("(?:\\.|[^"\\])*")|\/\/.*|\/\*[^]*?\*\//g,
    (_all, quoted: string | undefined) => quoted ?? '',
  );
  const blocks = text.matchAll(/^\s*(model|view|enum)\s+(\w+)\s*\{(.*?)^\s*\}/gms);
  return new Map(
    [...blocks].map(([, keyword = '', name = '', inside = '']) => [
      name,
      { keyword, lines: inside.split('\n').map((line) => line.trim()) },
    ]),
  );
}
