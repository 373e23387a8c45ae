import { IngestClient } from "../areas/usage/ingest/ingest-client";
import type { IngesterAnswer } from "../areas/usage/ingest/messages";
import { Link } from "./links";

/** Our choice: numbers of requests apart for each thread, since the ingester answers all threads at once. */
const requestsOfOneThread = 2 ** 40;

/** A thread's way to the ingester. `thread` counts the threads that have one; `onGrown` is for one of them. */
export function openIngest(
	thread: number,
	onGrown: () => void,
): { readonly link: Link; readonly events: IngestClient } {
	const client = new IngestClient({
		firstId: thread * requestsOfOneThread,
		post: (request) => {
			// Between the death of a thread and the start of the next nobody would ever answer.
			if (!link.post(request)) client.died();
		},
		onGrown,
	});
	const link: Link = new Link({
		// The ingester sends nothing else.
		hear: (answer) => client.hear(answer as IngesterAnswer),
		lost: () => client.died(),
	});
	return { link, events: client };
}
