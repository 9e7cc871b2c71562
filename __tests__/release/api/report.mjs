/**
 * Writes what each entry point exports, with its declarations, to `<entry point>.api.md`: here, or in the folder that is
 * named. `npm run api` renews what is checked in.
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';

const root = join(import.meta.dirname, '../../..');
const reports = resolve(process.argv[2] ?? import.meta.dirname);
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

// Beside a link to node_modules, so that the declarations find what they import.
const work = mkdtempSync(join(tmpdir(), 'patch-options-api-'));
try {
  symlinkSync(join(root, 'node_modules'), join(work, 'node_modules'));
  const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
  const onlyDeclarations = ['--emitDeclarationOnly', '--declarationDir', join(work, 'types')];
  execFileSync(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json'), ...onlyDeclarations], {
    stdio: 'inherit',
  });
  const entryPoints = Object.entries(exports).filter(([, { types }]) => types !== undefined);
  const configs = entryPoints.map(([name, { types }]) =>
    configOf(name === '.' ? 'index' : name.slice(2), join(work, 'types', types.replace('./dist/', ''))),
  );
  // One program for all.
  const additionalEntryPoints = configs.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath);
  const compilerState = CompilerState.create(configs[0], { additionalEntryPoints });
  for (const config of configs) {
    Extractor.invoke(config, {
      compilerState,
      localBuild: true,
      messageCallback: (message) => (message.handled = true),
    });
  }
} finally {
  rmSync(work, { recursive: true });
}

function configOf(name, declarations) {
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder: work,
      mainEntryPointFilePath: declarations,
      compiler: { tsconfigFilePath: join(root, 'tsconfig.build.json') },
      apiReport: {
        enabled: true,
        reportFolder: reports,
        reportTempFolder: work,
        reportFileName: name,
        includeForgottenExports: true,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      // Its warnings go into the report, where they are seen; what is not exported by name is in it anyway.
      messages: {
        extractorMessageReporting: {
          default: { logLevel: 'warning', addToApiReportFile: true },
          'ae-forgotten-export': { logLevel: 'none' },
          'ae-missing-release-tag': { logLevel: 'none' },
          'ae-undocumented': { logLevel: 'none' },
        },
        tsdocMessageReporting: { default: { logLevel: 'warning', addToApiReportFile: true } },
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
  });
}
