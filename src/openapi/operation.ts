import type { TSchema } from "@sinclair/typebox";
import type { DocumentDecoration } from "elysia";
import type { Requirement } from "../areas/access/rules";
import type { ErrorCode } from "../kernel/error-codes";

/** What a parameter means, and a value that works on a server with demo data where the call cannot do without one. */
export type ParameterNote = string | readonly [description: string, example: string | number];

/** What the OpenAPI document says of an operation alongside what its schemas say. */
export interface OperationNotes {
	/** The interface's name of the operation; for our additions, one after the same pattern. */
	readonly operationId: string;
	readonly summary: string;
	readonly description?: string;
	readonly path?: Readonly<Record<string, ParameterNote>>;
	readonly query?: Readonly<Record<string, ParameterNote>>;
	/** A body that works on a server with demo data. */
	readonly example?: unknown;
	/** Bodies of other content types that the route takes as well. */
	readonly otherBodies?: Readonly<Record<string, { readonly schema: TSchema; readonly example: unknown }>>;
	/** Refusals by rules, alongside those that every route of its kind has. */
	readonly refusals?: readonly ErrorCode[];
	/** Refusals for which the catalogue has no code, by their status. */
	readonly uncoded?: Readonly<Record<number, string>>;
	/** Where the answer is no JSON that a schema describes. */
	readonly answer?: { readonly description: string; readonly contentType: string };
	/** Where the route checks its body itself: what it takes and answers. */
	readonly body?: TSchema;
	readonly response?: TSchema | Readonly<Record<number, TSchema>>;
	/** Where no `permit` says who may call: nobody in particular, a signed-in user, or an identity provider. */
	readonly callers?: "anyone" | "user" | "server" | "scim";
}

/** Who may call a route, as `permit` says it; see `http/identity.ts`. */
interface PermitNotes extends Requirement {
	readonly limitedBy?: string;
	readonly body?: "json" | "text";
	readonly contentTypes?: readonly string[] | "any";
	readonly takesLong?: boolean;
	readonly asksWriter?: boolean;
	readonly onlyReadsWith?: string;
}

/** What a route carries as `detail`; `document.ts` reads it. */
export interface RouteDetail extends DocumentDecoration {
	readonly notes?: OperationNotes;
	readonly permit?: PermitNotes;
}

export const operation = (notes: OperationNotes): RouteDetail => ({ notes });

export const permitted = (permit: PermitNotes): RouteDetail => ({ permit });
