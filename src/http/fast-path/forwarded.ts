import type { Bodies } from "../body";
import type { Senders } from "../client-address";
import { HttpRefusal } from "../refusal";
import type { GivenBack, TakenIn } from "./forwarding";

export interface AnsweringOptions {
	readonly handle: (request: Request) => Promise<Response> | Response;
	readonly bodies: Bodies;
	readonly senders: Senders;
}

/** Answers requests that other threads have taken in, by the same app. */
export const answerTakenIn =
	({ handle, bodies, senders }: AnsweringOptions) =>
	async ({ method, path, headers, sender, bodyRefusal }: TakenIn, body: string): Promise<GivenBack> => {
		const hasBody = body !== "" || bodyRefusal !== undefined;
		// The framework looks for the path behind the host, and reads no body where none is said to be.
		const request = new Request(`http://localhost${path}`, { method, headers, body: hasBody ? body || " " : null });
		senders.remember(request, sender);
		bodies.remember(
			request,
			bodyRefusal ? new HttpRefusal(bodyRefusal.status, bodyRefusal.message, bodyRefusal.headers) : body,
		);
		const response = await handle(request);
		return { status: response.status, headers: [...response.headers], text: await response.text() };
	};
