/** The console's one way to the server: the public interface, as the person who is signed in. */

/** What the API answered in place of what was asked for. */
export class ApiError extends Error {
	constructor(
		message: string,
		readonly status: number,
		readonly code: string | null,
		readonly requestId: string | undefined,
		/** Of the form, where it is not for the message to name it. */
		readonly field?: string,
	) {
		super(message);
	}
}

/** A page of a list, as every list of the API answers it. */
export interface ListAnswer<Row> {
	readonly data: readonly Row[];
	readonly pagination: { readonly next: string | null; readonly prev: string | null };
}

export type Query = Readonly<Record<string, string | number | boolean | undefined>>;

const prefix = "/api/v1";

let environmentId: string | undefined;

/** Of whose environment all that follows is asked. */
export function actIn(id: string | undefined): void {
	environmentId = id;
}

export function withQuery(path: string, query: Query = {}): string {
	const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== "");
	const text = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
	return text === "" ? path : `${path}?${text}`;
}

/** `path` is below /api/v1. Throws ApiError. */
export const get = <Found>(path: string, query?: Query): Promise<Found> => call("GET", withQuery(path, query));

export const send = <Found>(
	method: "POST" | "PUT" | "PATCH" | "DELETE",
	path: string,
	body?: unknown,
): Promise<Found> => call(method, path, body);

const call = <Found>(method: string, path: string, body?: unknown): Promise<Found> =>
	request(method, `${prefix}${path}`, body);

/** Of the person rather than of an environment: `/console/session`. */
export async function request<Found>(method: string, path: string, body?: unknown): Promise<Found> {
	const headers: Record<string, string> = {};
	if (body !== undefined) headers["content-type"] = "application/json";
	if (environmentId !== undefined) headers["x-environment-id"] = environmentId;
	const response = await fetch(path, { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) });
	if (!response.ok) throw await refusalOf(response);
	return (await response.json()) as Found;
}

/** A file as the API answers it: a PDF, a CSV. */
export async function getFile(path: string): Promise<Blob> {
	const headers: Record<string, string> = environmentId === undefined ? {} : { "x-environment-id": environmentId };
	const response = await fetch(`${prefix}${path}`, { headers });
	if (!response.ok) throw await refusalOf(response);
	return response.blob();
}

async function refusalOf(response: Response): Promise<ApiError> {
	const body: unknown = await response.json().catch(() => undefined);
	const { message, code } = (body ?? {}) as { message?: string; code?: string | null };
	return new ApiError(
		message ?? `${response.status} ${response.statusText}`,
		response.status,
		code ?? null,
		response.headers.get("x-request-id") ?? undefined,
	);
}

/** The same question for a terminal, with a key of the environment in the shell's variable. */
export const curlOf = (path: string): string =>
	`curl -H "X-API-KEY: $TOLLGATE_API_KEY" '${location.origin}${prefix}${path.replaceAll("'", "%27")}'`;
