import type { Bodies } from "../../http/body";
import { assertContentType, parseJson } from "../../http/body";
import { bodySizeOf, valuesMaxOf } from "../../http/body-sizes";
import { HttpRefusal } from "../../http/refusal";
import { statusByCode } from "../../kernel/error-codes";
import { DomainError } from "../../kernel/errors";
import { ScimRefusal, type ScimType, scimTypeOf } from "./rules.refusals";
import { errorSchema } from "./schema";

export const scimContentType = "application/scim+json";

export const answerScim = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response =>
	new Response(status === 204 ? null : JSON.stringify(body), {
		status,
		headers: { ...(status !== 204 && { "content-type": scimContentType }), ...headers },
	});

const refusal = (status: number, scimType: ScimType | undefined, detail: string, headers = {}): Response =>
	answerScim(
		{ schemas: [errorSchema], ...(scimType && { scimType }), detail, status: String(status) },
		status,
		headers,
	);

/** Converts errors to the format of SCIM (RFC 7644, section 3.12). */
export async function refusingAsScim(answer: () => Promise<Response>): Promise<Response> {
	try {
		return await answer();
	} catch (error) {
		if (error instanceof ScimRefusal) return refusal(error.status, error.scimType, error.message);
		if (error instanceof HttpRefusal) return refusal(error.status, undefined, error.message, error.headers);
		if (!(error instanceof DomainError)) throw error;
		const status = statusByCode[error.code];
		const headers = status === 401 ? { "www-authenticate": "Bearer" } : {};
		return refusal(status, scimTypeOf(error), error.message, headers);
	}
}

/** Returns the parsed body, in SCIM's content type or plain JSON. */
export async function readScimBody(bodies: Bodies, request: Request, route: string): Promise<unknown> {
	const size = bodySizeOf(request.method, route);
	const text = await bodies.text(request, size);
	assertContentType(request, text, [scimContentType, "application/json"]);
	return parseJson(text, valuesMaxOf[size]);
}
