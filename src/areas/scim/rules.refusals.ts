import { type DomainError, shorten } from "../../kernel/errors";

/** Source: RFC 7644, section 3.12. */
export type ScimType =
	| "invalidFilter"
	| "tooMany"
	| "uniqueness"
	| "mutability"
	| "invalidSyntax"
	| "invalidPath"
	| "noTarget"
	| "invalidValue";

/** A refusal as providers read it. */
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

/** What our own rules refuse, by its status. */
export function scimTypeOf({ code }: DomainError): ScimType | undefined {
	if (code === "DuplicatedEntityNotAllowed") return "uniqueness";
	if (code === "InvalidMemberDelete" || code === "InvalidArgumentError") return "mutability";
	return code === "BadUserInput" ? "invalidValue" : undefined;
}
