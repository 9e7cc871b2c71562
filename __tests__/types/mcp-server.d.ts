/** What docs/agents.md uses of the SDKs for MCP, which are not installed here: of version 1.32, and of 2.4. */
declare module '@modelcontextprotocol/sdk/server/mcp.js' {
  import type { z } from 'zod';

  export class McpServer {
    registerTool<Shape extends Readonly<Record<string, z.ZodType>>>(
      name: string,
      config: { readonly description: string; readonly inputSchema: Shape },
      run: (input: { [Name in keyof Shape]: z.infer<Shape[Name]> }) => Promise<{
        content: { type: 'text'; text: string }[];
        isError?: boolean;
      }>,
    ): unknown;
  }
}

declare module '@modelcontextprotocol/server' {
  import type { z } from 'zod';

  export class McpServer {
    registerTool<Schema extends z.ZodType>(
      name: string,
      config: { readonly description: string; readonly inputSchema: Schema },
      run: (input: z.infer<Schema>) => Promise<{
        content: { type: 'text'; text: string }[];
        isError?: boolean;
      }>,
    ): unknown;
  }
}
