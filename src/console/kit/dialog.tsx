import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useLocation } from "wouter";
import { send } from "../api";
import { words } from "../messages/shared/words";
import { Icon } from "./icons";
import { Problem } from "./problem";

/** A drawer stands at the side of the page, for long content. A broad one has two columns. */
type DialogKind = "dialog" | "drawer" | "drawer broad" | "palette";

/** Whether a dialog is open, and how it closes. */
export interface Opening {
	readonly isOpen: boolean;
	readonly onClose: () => void;
}

export interface DialogProps extends Opening {
	readonly title: string;
	readonly kind?: DialogKind | undefined;
	readonly children: ReactNode;
}

/** A modal window. The browser keeps the focus in it and closes it on Escape. */
export function Dialog({ title, isOpen, onClose, kind = "dialog", children }: DialogProps) {
	const element = useRef<HTMLDialogElement>(null);
	const titleId = useId();
	// With the change of the page, so that no event finds the page changed and the window not.
	useLayoutEffect(() => {
		if (isOpen) element.current?.showModal();
		else element.current?.close();
	}, [isOpen]);
	return (
		<dialog
			ref={element}
			className={kind}
			aria-labelledby={titleId}
			// Escape closes the window with the page's state. The browser alone would close it before a later task reports it.
			onCancel={(event) => {
				if (event.target !== element.current) return;
				event.preventDefault();
				onClose();
			}}
			// When the report comes, the window may be open again.
			onClose={() => element.current?.open || onClose()}
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

interface DialogButtonProps {
	readonly label: string;
	/** The main button of the page. */
	readonly isMain?: boolean | undefined;
	readonly isDanger?: boolean | undefined;
	readonly dialog: (opening: Opening) => ReactNode;
}

/** A button and the dialog that it opens. */
export function DialogButton({ label, isMain, isDanger, dialog }: DialogButtonProps) {
	const [isOpen, setOpen] = useState(false);
	return (
		<>
			<button type="button" className={isMain ? "solid" : isDanger ? "danger" : ""} onClick={() => setOpen(true)}>
				{label}
			</button>
			{dialog({ isOpen, onClose: () => setOpen(false) })}
		</>
	);
}

interface DetailDialogProps<Item> extends Pick<DialogProps, "kind"> {
	/** The dialog is open while there is one. */
	readonly item: Item | undefined;
	readonly title: (item: Item) => string;
	readonly onClose: () => void;
	readonly children: (item: Item) => ReactNode;
}

/** A drawer with the details of the item that is chosen in a list. */
export const DetailDialog = <Item,>({ item, title, onClose, kind = "drawer", children }: DetailDialogProps<Item>) => (
	<Dialog kind={kind} title={item === undefined ? "" : title(item)} isOpen={item !== undefined} onClose={onClose}>
		{item !== undefined && children(item)}
	</Dialog>
);

type Question<Key extends string, Values> = {
	readonly [Name in Key | `${Key}Title` | `${Key}Says`]: string | ((values: Values) => string);
};

/** Returns the texts of a confirmation: `archive`, `archiveTitle` and `archiveSays` of a screen's texts. */
export function confirmation<Key extends string, Values>(texts: Question<Key, Values>, key: Key, values?: Values) {
	const textOf = (text: string | ((values: Values) => string)) =>
		typeof text === "string" ? text : text(values ?? ({} as Values));
	return { label: textOf(texts[key]), title: textOf(texts[`${key}Title`]), says: textOf(texts[`${key}Says`]) };
}

interface ConfirmButtonProps {
	/** The label of the button, on the page and in the dialog. */
	readonly label: string;
	readonly title: string;
	/** Describes the effects of the action. */
	readonly says: ReactNode;
	/** The operation below /api/v1, or a function that carries it out. */
	readonly perform:
		| readonly [method: "POST" | "PATCH" | "DELETE", path: string, body?: object]
		| (() => Promise<unknown>);
	readonly onDone?: () => void;
	/** The page to open afterwards. */
	readonly leadsTo?: string | undefined;
	readonly isDanger?: boolean;
}

/** Asks before it acts, then reads all data again. */
export function ConfirmButton({ label, title, says, perform, onDone, leadsTo, isDanger }: ConfirmButtonProps) {
	const [isOpen, setOpen] = useState(false);
	const [, navigate] = useLocation();
	const client = useQueryClient();
	const action = useMutation({
		mutationFn: () => (typeof perform === "function" ? perform() : send(...perform)),
		onSuccess: async () => {
			// Closed first: the dialog would otherwise read its data again after the action.
			flushSync(() => setOpen(false));
			onDone?.();
			if (leadsTo) navigate(leadsTo);
			await client.invalidateQueries();
		},
	});
	const close = () => {
		setOpen(false);
		action.reset();
	};
	return (
		<>
			<button type="button" className={isDanger ? "danger" : ""} onClick={() => setOpen(true)}>
				{label}
			</button>
			<Dialog title={title} isOpen={isOpen} onClose={close}>
				<div className="says">{typeof says === "string" ? <p>{says}</p> : says}</div>
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
