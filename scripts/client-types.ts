/**
 * `bun run client-types`: writes the types of `clients/typescript` out of our own OpenAPI document. They are not kept in the
 * repository: each change of a route would change them, and `bun run check` writes them again.
 */
import openapiTS, { astToString, type OpenAPI3 } from "openapi-typescript";
import { openApiDocument } from "../src/cli/openapi";

const file = "clients/typescript/src/api.ts";

export async function writeClientTypes(document: OpenAPI3): Promise<void> {
	const types = astToString(await openapiTS(document));
	await Bun.write(file, `// Written by \`bun run client-types\` out of the OpenAPI document.\n${types}`);
}

if (import.meta.main) await writeClientTypes((await openApiDocument()) as OpenAPI3);
