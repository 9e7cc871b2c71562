import { readFileSync } from 'node:fs';

/** The functions of a .cpuprofile in which most time passed, callees left out. */
export function topFunctions(file, count = 25) {
  const { nodes, samples, timeDeltas } = JSON.parse(readFileSync(file, 'utf8'));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const times = new Map();
  let total = 0;
  samples.forEach((id, i) => {
    const { functionName, url, lineNumber } = byId.get(id).callFrame;
    if (functionName === '(idle)') return;
    const place =
      url === '' ? '' : ` ${url.replace(/^.*\/(?=node_modules\/|dist\/|bench\/)/, '')}:${lineNumber + 1}`;
    const name = `${functionName || '(anonymous)'}${place}`;
    times.set(name, (times.get(name) ?? 0) + timeDeltas[i]);
    total += timeDeltas[i];
  });
  return [...times]
    .sort(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([name, time]) => ({ share: time / total, name }));
}
