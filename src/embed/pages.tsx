import { useState } from "preact/hooks";
import { Problem, useAction, useLoaded, useWords } from "./parts";

interface PageOf<Row> {
	readonly data: readonly Row[];
	readonly pagination: { readonly next: string | null };
}

/** The rows of a list that the customer reads page by page. `read` reads the page after a cursor, `null` the first one. */
export function usePages<Row>(read: (after: string | null) => Promise<PageOf<Row>>, inputs: readonly unknown[]) {
	const { say } = useWords();
	const [more, setMore] = useState<{ readonly rows: readonly Row[]; readonly next: string | null }>();
	const { value, error } = useLoaded(() => read(null), inputs);
	const { isBusy, error: failed, run } = useAction();
	const next = more ? more.next : value?.pagination.next;
	return {
		rows: [...(value?.data ?? []), ...(more?.rows ?? [])],
		isLoaded: value !== undefined,
		error,
		isBusy,
		run,
		/** The problem of the last action, and the button for the next page. */
		end: (
			<>
				{failed !== undefined && <Problem error={failed} />}
				{next && (
					<button
						type="button"
						disabled={isBusy}
						onClick={() =>
							run(async () => {
								const page = await read(next);
								setMore({ rows: [...(more?.rows ?? []), ...page.data], next: page.pagination.next });
							})
						}
					>
						{say("more")}
					</button>
				)}
			</>
		),
	};
}
