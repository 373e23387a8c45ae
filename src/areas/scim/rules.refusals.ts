import { type DomainError, shorten } from "../../kernel/errors";

/** RFC 7644, section 3.12. */
export type ScimType =
	| "invalidFilter"
	| "tooMany"
	| "uniqueness"
	| "mutability"
	| "invalidSyntax"
	| "invalidPath"
	| "noTarget"
	| "invalidValue";

/** An error in the format of SCIM. */
export class ScimRefusal extends Error {
	constructor(
		readonly status: number,
		readonly scimType: ScimType | undefined,
		message: string,
	) {
		super(message);
	}
}

export const invalid = (scimType: ScimType, message: string): ScimRefusal => new ScimRefusal(400, scimType, message);

export const missing = (kind: "user" | "group" | "resource", id: string): ScimRefusal =>
	new ScimRefusal(404, undefined, `There is no ${kind} '${shorten(id)}' here.`);

/** Returns the SCIM type of an error of the other areas. */
export function scimTypeOf({ code }: DomainError): ScimType | undefined {
	if (code === "DuplicatedEntityNotAllowed") return "uniqueness";
	if (code === "InvalidMemberDelete" || code === "InvalidArgumentError") return "mutability";
	return code === "BadUserInput" ? "invalidValue" : undefined;
}
