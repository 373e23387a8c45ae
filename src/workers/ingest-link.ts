import { IngestClient } from "../areas/usage/ingest/ingest-client";
import type { IngesterAnswer } from "../areas/usage/ingest/messages";
import type { EventIngest } from "../areas/usage/schema.ingest";
import { Link } from "./links";

/** A thread's way to the ingester. */
export function openIngest(): { readonly link: Link; readonly events: EventIngest } {
	const client = new IngestClient((messages) => {
		// Between the death of a thread and the start of the next nobody would ever answer.
		if (!link.post(messages)) client.died();
	});
	const link: Link = new Link({
		// The ingester sends nothing else.
		hear: (answer) => client.hear(answer as IngesterAnswer),
		lost: () => client.died(),
	});
	return { link, events: client };
}
