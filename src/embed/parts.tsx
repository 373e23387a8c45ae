import { createContext } from "preact";
import { useContext, useEffect, useState } from "preact/hooks";
import { Refusal } from "./api";
import type { Words } from "./messages";

export const Reading = createContext<Words | null>(null);

export function useWords(): Words {
	const words = useContext(Reading);
	if (!words) throw new Error("no language");
	return words;
}

/** An error message with the request id for support. */
export function Problem({ error, retry }: { readonly error: unknown; readonly retry?: () => void }) {
	const { say } = useWords();
	const { message, requestId } = error instanceof Refusal ? error : { message: String(error), requestId: null };
	return (
		<div class="note wrong" role="alert">
			<p>{message}</p>
			{requestId && <p class="quiet">{say("reference", { id: requestId })}</p>}
			{retry && (
				<button type="button" onClick={retry}>
					{say("retry")}
				</button>
			)}
		</div>
	);
}

/** The result of a promise. `again` repeats it. */
export function useLoaded<T>(load: () => Promise<T>, watched: readonly unknown[]) {
	const [state, setState] = useState<{ value?: T; error?: unknown }>({});
	const [turn, setTurn] = useState(0);
	useEffect(() => {
		let isOver = false;
		load().then(
			(value) => !isOver && setState({ value }),
			(error) => !isOver && setState({ error }),
		);
		return () => {
			isOver = true;
		};
	}, [...watched, turn]);
	return { ...state, again: () => setTurn((before) => before + 1) };
}

/** An action with its progress and error. */
export function useAction() {
	const [isBusy, setBusy] = useState(false);
	const [error, setError] = useState<unknown>();
	const run = async (action: () => Promise<void>): Promise<void> => {
		setBusy(true);
		setError(undefined);
		try {
			await action();
		} catch (thrown) {
			setError(thrown);
		} finally {
			setBusy(false);
		}
	};
	return { isBusy, error, run };
}
