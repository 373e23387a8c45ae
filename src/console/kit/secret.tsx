import { words } from "../messages/shared/words";
import { copy } from "./copy";
import { Dialog } from "./dialog";

export interface SecretProps {
	readonly title: string;
	readonly text: string;
	/** Secrets by their names. The dialog is open while there are any. */
	readonly secrets: Readonly<Record<string, string>> | undefined;
	readonly onClose: () => void;
}

/** Shows secrets that the API returns only once. */
export const Secret = ({ title, text, secrets, onClose }: SecretProps) => (
	<Dialog title={title} isOpen={secrets !== undefined} onClose={onClose}>
		<p>{text}</p>
		{Object.entries(secrets ?? {}).map(([name, secret]) => (
			<CopiedText key={name} name={name} text={secret} />
		))}
		<footer>
			<button type="button" className="solid" onClick={onClose}>
				{words.close}
			</button>
		</footer>
	</Dialog>
);

/** A text with a button that copies it. */
export const CopiedText = ({ name, text, shown = text }: { name: string; text: string; shown?: string }) => (
	<div className="field">
		<span className="strong">{name}</span>
		<span className="with-unit">
			<pre>{shown}</pre>
			<button type="button" onClick={() => void copy(text)}>
				{words.copy}
			</button>
		</span>
	</div>
);
