/** All calls of the console: the public API, as the person who is signed in. */

/** An error response of the API. */
export class ApiError extends Error {
	constructor(
		message: string,
		readonly status: number,
		readonly code: string | null,
		readonly requestId: string | undefined,
		/** The field of the form, where the message does not name it. */
		readonly field?: string,
	) {
		super(message);
	}
}

/** A page of a list of the API. Short lists have no pages. */
export interface ListAnswer<Row> {
	readonly data: readonly Row[];
	readonly pagination?: { readonly next: string | null; readonly prev: string | null };
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

const prefix = "/api/v1";

let environmentId: string | undefined;

/** Sets the environment of all further calls. */
export function actIn(id: string | undefined): void {
	environmentId = id;
}

export function withQuery(path: string, query: Query = {}): string {
	const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
	const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
	return text === "" ? path : `${path}?${text}`;
}

/** Returns the path of something in a list, such as /customers/customer-acme: on the screen and below /api/v1 alike. */
export const pathTo = (list: string, ...names: readonly string[]): string =>
	[list, ...names.map(encodeURIComponent)].join("/");

/** `path` is below /api/v1. Throws ApiError. */
export const get = <Answer>(path: string, query?: Query): Promise<Answer> => call("GET", withQuery(path, query));

export const send = <Answer>(
	method: "POST" | "PUT" | "PATCH" | "DELETE",
	path: string,
	body?: unknown,
): Promise<Answer> => call(method, path, body);

const call = <Answer>(method: string, path: string, body?: unknown): Promise<Answer> =>
	request(method, `${prefix}${path}`, body);

/** Calls a path outside /api/v1, such as `/console/session`. */
export async function request<Answer>(method: string, path: string, body?: unknown): Promise<Answer> {
	const headers: Record<string, string> = {};
	if (body !== undefined) headers["content-type"] = "application/json";
	if (environmentId !== undefined) headers["x-environment-id"] = environmentId;
	const response = await fetch(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
	if (!response.ok) throw await errorOf(response);
	return (await response.json()) as Answer;
}

/** Reads a file of the API, such as a PDF. */
export async function getFile(path: string): Promise<Blob> {
	const headers: Record<string, string> = environmentId === undefined ? {} : { "x-environment-id": environmentId };
	const response = await fetch(`${prefix}${path}`, { headers });
	if (!response.ok) throw await errorOf(response);
	return response.blob();
}

async function errorOf(response: Response): Promise<ApiError> {
	const body: unknown = await response.json().catch(() => undefined);
	const { message, code } = (body ?? {}) as { message?: string; code?: string | null };
	return new ApiError(
		message ?? `${response.status} ${response.statusText}`,
		response.status,
		code ?? null,
		response.headers.get("x-request-id") ?? undefined,
	);
}

/** Returns the request as a curl command, with the API key in a shell variable. */
export const curlOf = (path: string): string =>
	`curl -H "X-API-KEY: $TOLLGATE_API_KEY" '${location.origin}${prefix}${path.replaceAll("'", "%27")}'`;
