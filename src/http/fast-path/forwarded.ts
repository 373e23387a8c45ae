import type { Bodies } from "../body";
import type { Senders } from "../client-address";
import { HttpRefusal } from "../refusal";
import type { ForwardedAnswer, ForwardedRequest } from "./forwarding";

export interface AnsweringOptions {
	readonly handle: (request: Request) => Promise<Response> | Response;
	readonly bodies: Bodies;
	readonly senders: Senders;
}

/** Answers requests that other threads have forwarded, by the same app. */
export const answerForwarded =
	({ handle, bodies, senders }: AnsweringOptions) =>
	async ({ method, path, headers, sender, bodyRefusal }: ForwardedRequest, body: string): Promise<ForwardedAnswer> => {
		const hasBody = body !== "" || bodyRefusal !== undefined;
		// The framework looks for the path after the host, and reads no body without a length.
		const request = new Request(`http://localhost${path}`, { method, headers, body: hasBody ? body || " " : null });
		senders.remember(request, sender);
		bodies.remember(
			request,
			bodyRefusal ? new HttpRefusal(bodyRefusal.status, bodyRefusal.message, bodyRefusal.headers) : body,
		);
		const response = await handle(request);
		return { status: response.status, headers: [...response.headers], text: await response.text() };
	};
