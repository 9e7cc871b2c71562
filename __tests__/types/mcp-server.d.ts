/** What docs/agents.md uses of @modelcontextprotocol/sdk, which is not installed here, as version 1.32 has it. */
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
