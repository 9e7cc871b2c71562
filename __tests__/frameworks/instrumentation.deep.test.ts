/** `explainCors` in a process whose requests are traced: what it answers is what it answers without. */
import { printedByTypescript } from '../support/run-typescript';

interface Printed {
  readonly codes: readonly string[];
  /** The names of the headers that the app got with each request. */
  readonly received: readonly string[];
  readonly request: string;
}

interface Row {
  readonly name: string;
  readonly env?: Readonly<Record<string, string>>;
  /** How it shows that it is at work: a header that it adds, or a function that it wraps. */
  readonly sign: (printed: Printed) => boolean;
}

/** No server of the vendor is asked. */
const nowhere = 'http://127.0.0.1:9';
const adds =
  (name: string) =>
  ({ received }: Printed): boolean =>
    received.every((names) => names.split(' ').includes(name));
const wraps =
  (name: string) =>
  ({ request }: Printed): boolean =>
    request.startsWith(`function ${name}(`);

const rows: readonly Row[] = [
  {
    name: 'dd-trace',
    env: {
      DD_TRACE_AGENT_URL: nowhere,
      DD_TRACE_STARTUP_LOGS: 'false',
      DD_INSTRUMENTATION_TELEMETRY_ENABLED: 'false',
      DD_REMOTE_CONFIGURATION_ENABLED: 'false',
    },
    sign: adds('x-datadog-trace-id'),
  },
  { name: 'elastic-apm-node', sign: wraps('wrappedHttpRequest') },
  {
    name: 'newrelic',
    env: {
      NEW_RELIC_APP_NAME: 'notes',
      NEW_RELIC_LICENSE_KEY: '0'.repeat(40),
      NEW_RELIC_LOG_ENABLED: 'false',
      NEW_RELIC_HOST: '127.0.0.1',
    },
    sign: wraps('wrappedRequest'),
  },
  { name: '@sentry/node', env: { SENTRY_DSN: 'http://key@127.0.0.1:9/1' }, sign: adds('sentry-trace') },
  {
    name: 'opentelemetry',
    env: { OTEL_TRACES_EXPORTER: 'none', OTEL_METRICS_EXPORTER: 'none', OTEL_LOGS_EXPORTER: 'none' },
    sign: wraps('outgoingRequest'),
  },
];

async function ask(name: string, env: Readonly<Record<string, string>> = {}): Promise<Printed> {
  const printed = await printedByTypescript('../frameworks/support/instrumented.ts', [name], env);
  return JSON.parse(printed) as Printed;
}

test.each(rows)('$name', async ({ name, env, sign }) => {
  const [plain, traced] = await Promise.all([ask('none'), ask(name, env)]);
  expect({ isAtWork: sign(traced), codes: traced.codes }).toEqual({ isAtWork: true, codes: plain.codes });
  expect({ isAtWork: sign(plain), codes: plain.codes }).toEqual({
    isAtWork: false,
    codes: [
      ...['cors-allowed', 'cors-allowed', 'cors-header-not-allowed', 'cors-method-not-allowed'],
      ...['cors-origin-not-allowed', 'cors-preflight-status'],
    ],
  });
});
