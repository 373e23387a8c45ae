import type { TSchema } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";
import type { Requirement } from "../areas/access/rules";
import type { ErrorCode } from "../kernel/error-codes";

/** The description of a parameter. A required parameter also has a value that works with demo data. */
export type ParameterNote = string | readonly [description: string, example: string | number];

/** The notes of an operation in the OpenAPI document, in addition to its schemas. */
export interface OperationNotes {
	/** The interface's name of the operation. Our additions follow the same pattern. */
	readonly operationId: string;
	readonly summary: string;
	readonly description?: string;
	readonly path?: Readonly<Record<string, ParameterNote>>;
	readonly query?: Readonly<Record<string, ParameterNote>>;
	/** A body that works with demo data. */
	readonly example?: unknown;
	/** Bodies of other content types. */
	readonly otherBodies?: Readonly<Record<string, { readonly schema: TSchema; readonly example: unknown }>>;
	/** The body is a file: `otherBodies` describe it, and there is none in JSON. */
	readonly takesFile?: true;
	/** The thread that receives the request answers it, and asks the writer by name; only for routes without `permit`. */
	readonly answeredHere?: true;
	/** Refusals by rules, in addition to those of every route of its kind. */
	readonly refusals?: readonly ErrorCode[];
	/** Refusals without a code of the catalogue, by their status. */
	readonly uncoded?: Readonly<Record<number, string>>;
	/** The content type of a response without a JSON schema. */
	readonly answer?: { readonly description: string; readonly contentType: string };
	/** The body and the response of a route that checks its body itself. */
	readonly body?: TSchema;
	readonly response?: TSchema | Readonly<Record<number, TSchema>>;
	/** The callers of a route without `permit`: everyone, a signed-in user, or an identity provider. */
	readonly callers?: "anyone" | "user" | "server" | "scim";
}

/** The callers of a route, from its `permit` (`http/identity.ts`). */
interface PermitNotes extends Requirement {
	readonly limitedBy?: string;
	readonly body?: "json" | "text";
	readonly contentTypes?: readonly string[] | "any";
	readonly takesLong?: boolean;
	readonly asksWriter?: boolean;
	readonly onlyReadsWith?: string;
}

/** The `detail` of a route, which `document.ts` reads. */
export interface RouteDetail extends DocumentDecoration {
	readonly notes?: OperationNotes;
	readonly permit?: PermitNotes;
}

export const operation = (notes: OperationNotes): RouteDetail => ({ notes });

export const permitted = (permit: PermitNotes): RouteDetail => ({ permit });
