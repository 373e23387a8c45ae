import { useSyncExternalStore } from "react";
import { Icon } from "./icons";

interface Toast {
	readonly id: number;
	readonly text: string;
}

/** The time that a toast stays. */
const shownMs = 4000;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function change(next: readonly Toast[]): void {
	toasts = next;
	for (const listener of listeners) listener();
}

/** Shows for a short time that an action has succeeded. Errors are shown by `Problem`. */
export function toast(text: string): void {
	lastId += 1;
	const id = lastId;
	change([...toasts.slice(-2), { id, text }]);
	setTimeout(() => change(toasts.filter((one) => one.id !== id)), shownMs);
}

function subscribe(listener: () => void): () => void {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

export function Toasts() {
	const shown = useSyncExternalStore(subscribe, () => toasts);
	return (
		<div className="toasts" role="status" aria-live="polite">
			{shown.map(({ id, text }) => (
				<p key={id}>
					<Icon name="check" /> {text}
				</p>
			))}
		</div>
	);
}
