import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { words } from "../messages/shared/words";
import { Icon } from "./icons";
import { Problem } from "./problem";

export interface DialogProps {
	readonly title: string;
	readonly isOpen: boolean;
	readonly onClose: () => void;
	/** A drawer stands beside the page rather than over its middle: for what is long; a broad one has two columns. */
	readonly kind?: "dialog" | "drawer" | "drawer broad" | "palette";
	readonly children: ReactNode;
}

/** A window over the page; the browser keeps the focus in it and closes it by Escape. */
export function Dialog({ title, isOpen, onClose, kind = "dialog", children }: DialogProps) {
	const element = useRef<HTMLDialogElement>(null);
	const titleId = useId();
	useEffect(() => {
		if (isOpen) element.current?.showModal();
		else element.current?.close();
	}, [isOpen]);
	return (
		<dialog
			ref={element}
			className={kind}
			aria-labelledby={titleId}
			onClose={onClose}
			onMouseDown={(event) => event.target === element.current && onClose()}
		>
			{isOpen && (
				<div className="window">
					<header>
						<h2 id={titleId}>{title}</h2>
						<button type="button" className="bare" aria-label={words.close} onClick={onClose}>
							<Icon name="close" />
						</button>
					</header>
					{children}
				</div>
			)}
		</dialog>
	);
}

export interface ConfirmButtonProps {
	/** What the button is called, here and in the dialog. */
	readonly label: string;
	readonly title: string;
	/** What will happen, and to whom: nothing destructive goes without it. */
	readonly says: ReactNode;
	readonly perform: () => Promise<unknown>;
	readonly onDone?: () => void;
	readonly isDanger?: boolean;
	readonly isDisabled?: boolean;
}

/** Asks before it acts. What it has changed is read again. */
export function ConfirmButton({ label, title, says, perform, onDone, isDanger, isDisabled }: ConfirmButtonProps) {
	const [isOpen, setOpen] = useState(false);
	const client = useQueryClient();
	const action = useMutation({
		mutationFn: perform,
		onSuccess: async () => {
			// At once: what the dialog has asked would else be asked anew, of what is done by now.
			flushSync(() => setOpen(false));
			onDone?.();
			await client.invalidateQueries();
		},
	});
	const close = () => {
		setOpen(false);
		action.reset();
	};
	return (
		<>
			<button type="button" className={isDanger ? "danger" : ""} disabled={isDisabled} onClick={() => setOpen(true)}>
				{label}
			</button>
			<Dialog title={title} isOpen={isOpen} onClose={close}>
				<div className="says">{says}</div>
				<Problem error={action.error} />
				<footer>
					<button type="button" onClick={close}>
						{words.cancel}
					</button>
					<button
						type="button"
						className={isDanger ? "danger solid" : "solid"}
						disabled={action.isPending}
						onClick={() => action.mutate()}
					>
						{label}
					</button>
				</footer>
			</Dialog>
		</>
	);
}
