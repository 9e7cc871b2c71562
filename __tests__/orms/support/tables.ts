export type DatabaseName = 'PostgreSQL' | 'MariaDB' | 'SQLite';

/** What an app with each of these ORMs has: members in camelCase, columns in snake_case. */
export const ddl: Readonly<Record<DatabaseName, string>> = {
  PostgreSQL: `
    DROP TYPE IF EXISTS "State"; CREATE TYPE "State" AS ENUM ('draft', 'paid');
    CREATE TABLE notes (
      id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, slug text NOT NULL UNIQUE, title text NOT NULL, body text,
      email text UNIQUE, age integer CHECK (age < 200), ratio double precision, price numeric(8, 2), serial bigint,
      tags text[] NOT NULL DEFAULT '{}', parts jsonb[] NOT NULL DEFAULT '{}',
      prices numeric[] NOT NULL DEFAULT '{}', extra jsonb, facts jsonb NOT NULL DEFAULT '{}',
      done boolean NOT NULL DEFAULT false, due timestamptz(3), day date, clock time, state "State", uid uuid,
      states "State"[] NOT NULL DEFAULT '{}', days date[] NOT NULL DEFAULT '{}', local timestamp(3),
      ages integer[] NOT NULL DEFAULT '{}', ratios double precision[] NOT NULL DEFAULT '{}',
      flags boolean[] NOT NULL DEFAULT '{}', dues timestamptz(3)[] NOT NULL DEFAULT '{}',
      clocks time[] NOT NULL DEFAULT '{}', serials bigint[] NOT NULL DEFAULT '{}', uids uuid[] NOT NULL DEFAULT '{}',
      due_text timestamptz(3), local_text timestamp(3), day_as_date date, text text, code varchar(8), secret text DEFAULT 'hidden',
      outcomes text, created_at timestamptz(3) NOT NULL DEFAULT now(), updated_at timestamptz(3),
      deleted_at timestamptz(3), revision integer NOT NULL DEFAULT 1);
    CREATE TABLE audits (id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, slug text, before text, after text NOT NULL, user_id text, ip text);`,
  MariaDB: `
    CREATE TABLE notes (
      id int AUTO_INCREMENT PRIMARY KEY, slug varchar(255) NOT NULL UNIQUE, title mediumtext NOT NULL, body text,
      email varchar(191) UNIQUE, age int CHECK (age < 200), ratio double, price decimal(8, 2), serial bigint,
      extra json, facts json NOT NULL DEFAULT '{}',
      done tinyint(1) NOT NULL DEFAULT 0, due datetime(3), day date, clock time(6), state enum('draft', 'paid'),
      uid char(36), local datetime(3), due_text datetime(3), local_text datetime(3), day_as_date date, text text,
       code varchar(8), secret text DEFAULT 'hidden', outcomes longtext, created_at datetime(3) NOT NULL DEFAULT current_timestamp(3), updated_at datetime(3),
      deleted_at datetime(3), revision int NOT NULL DEFAULT 1);
    CREATE TABLE audits (id int AUTO_INCREMENT PRIMARY KEY, slug varchar(255), \`before\` text, after text NOT NULL, user_id varchar(255), ip varchar(255));`,
  SQLite: `
    CREATE TABLE notes (
      id INTEGER PRIMARY KEY AUTOINCREMENT, slug text NOT NULL UNIQUE, title text NOT NULL, body text,
      email text UNIQUE, age integer CHECK (age < 200), ratio real, price decimal, serial bigint,
      extra jsonb, facts jsonb NOT NULL DEFAULT '{}',
      done boolean NOT NULL DEFAULT 0, due datetime, day date, clock time, state text, uid text, local datetime, due_text integer,
      local_text datetime, day_as_date integer, text text, code text CHECK (length(code) <= 8), secret text DEFAULT 'hidden',
      outcomes text, created_at datetime NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ')), updated_at datetime,
      deleted_at datetime, revision integer NOT NULL DEFAULT 1);
    CREATE TABLE audits (id INTEGER PRIMARY KEY AUTOINCREMENT, slug text, before text, after text NOT NULL, user_id text, ip text);`,
};
