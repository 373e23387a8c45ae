import { Ajv2020 } from "ajv/dist/2020";
import addFormats from "ajv-formats";
import { openApiDocument } from "../../src/cli/openapi";

export interface Parameter {
	readonly name: string;
	readonly in: string;
	readonly required?: boolean;
	readonly description: string;
	readonly example?: string | number;
}

interface Documented {
	readonly operationId: string;
	readonly parameters: readonly Parameter[];
	readonly security: ReadonlyArray<Record<string, unknown>>;
	readonly requestBody?: { readonly content: Record<string, { readonly example?: unknown }> };
	readonly responses: Record<string, unknown>;
}

const document = (await openApiDocument()) as { paths: Record<string, Record<string, Documented>> };
export const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
	Object.entries(methods).map(([method, one]) => ({ method: method.toUpperCase(), path, ...one })),
);
type Operation = (typeof operations)[number];

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, "openapi");

/** Returns the problems of an answer by the document itself. */
export function faults({ path, method }: Operation, status: number, answer: unknown): unknown {
	const answered = ["responses", String(status), "content", "application/json", "schema"];
	const pointer = ["paths", path, method.toLowerCase(), ...answered]
		.map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
		.join("/");
	const validate = ajv.compile({ $ref: `openapi#/${pointer}` });
	return validate(answer) ? [] : validate.errors;
}
