import { createMcpExpressApp } from '@modelcontextprotocol/express';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import type { Server } from 'node:http';
import { methodNotAllowed, patchOptions } from 'patch-options';

export function start(port: number): Server {
  // docs: MCP over HTTP, SDK 2
  const mcp = toNodeHandler(createMcpHandler(() => new McpServer({ name: 'notes', version: '1.0.0' })));
  // Without allowedOrigins, it answers preflights of all pages but localhost's with 403.
  const app = createMcpExpressApp({ allowedOrigins: ['app.example'] });

  const allowedHeaders = ['Mcp-Protocol-Version', 'Mcp-Method', 'Mcp-Name'];
  app.use(patchOptions({ cors: { origin: 'https://app.example', allowedHeaders } }));
  app.post('/mcp', (req, res) => mcp(req, res, req.body));
  app.use(methodNotAllowed());
  // end
  return app.listen(port);
}
