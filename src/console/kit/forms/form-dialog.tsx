import { useLocation } from "wouter";
import { Dialog, DialogButton, type DialogProps, type Opening } from "../dialog";
import { toast } from "../toasts";
import { Form, type FormProps } from "./form";

export interface FormDialogProps extends Omit<FormProps, "onDone" | "onCancel"> {
	readonly title: string;
	readonly kind?: DialogProps["kind"];
	/** Receives the `data` of the answer. Returns the message to show. */
	// biome-ignore lint/suspicious/noConfusingVoidType: most forms have nothing to say but what they return.
	readonly onDone?: (data: never) => string | void;
	/** The page to open when the form is sent. */
	readonly leadsTo?: (data: never) => string;
}

/** A form in a dialog, which closes when the form is sent. */
export function FormDialog({ title, kind, isOpen, onClose, onDone, leadsTo, ...form }: FormDialogProps & Opening) {
	const [, navigate] = useLocation();
	return (
		<Dialog title={title} kind={kind} isOpen={isOpen} onClose={onClose}>
			<Form
				{...form}
				onCancel={onClose}
				onDone={(data) => {
					onClose();
					const message = onDone?.(data);
					if (message) toast(message);
					if (leadsTo) navigate(leadsTo(data));
				}}
			/>
		</Dialog>
	);
}

interface FormButtonProps extends Omit<FormDialogProps, "title"> {
	readonly label: string;
	/** The label, where it is left out. */
	readonly title?: string;
	readonly isMain?: boolean;
	readonly isDanger?: boolean;
}

/** A button and the form that it opens. */
export const FormButton = ({ label, title = label, isMain, isDanger, ...form }: FormButtonProps) => (
	<DialogButton
		{...{ label, isMain, isDanger }}
		dialog={(opening) => <FormDialog {...form} {...opening} title={title} />}
	/>
);
