import { newRequestId } from "../requests";
import { securityHeaders } from "../responses/headers";

/** Copied for each response, which is cheaper than building the headers again. */
const jsonHeaders = { headers: new Headers({ ...securityHeaders, "content-type": "application/json;charset=utf-8" }) };

/** Returns the response that the framework would send for this body, byte for byte. */
export function fastAnswer(body: string, sent: Headers): Response {
	const response = new Response(body, jsonHeaders);
	response.headers.set("x-request-id", newRequestId(sent));
	return response;
}
