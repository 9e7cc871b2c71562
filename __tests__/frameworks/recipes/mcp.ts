import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express, { type RequestHandler } from 'express';
import type { Server } from 'node:http';
import { declareMethods, methodNotAllowed, patchOptions } from 'patch-options';

export function start(port: number): Server {
  // docs: MCP over HTTP
  const app = express();
  const mcp: RequestHandler = async (req, res) => {
    const transport = new StreamableHTTPServerTransport();
    await new McpServer({ name: 'notes', version: '1.0.0' }).connect(transport);
    await transport.handleRequest(req, res, req.body);
  };

  // Without exposedHeaders, a client in a page cannot read the id of its session.
  const allowedHeaders = ['Mcp-Session-Id', 'Mcp-Protocol-Version', 'Last-Event-Id'];
  const cors = { origin: 'https://app.example', allowedHeaders, exposedHeaders: ['Mcp-Session-Id'] };
  app.use(patchOptions({ cors }));
  app.use(express.json());
  app.all('/mcp', declareMethods(['DELETE', 'GET', 'POST'], mcp));
  app.use(methodNotAllowed());
  // end
  return app.listen(port);
}
