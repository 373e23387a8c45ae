import { copy } from "./copy";
import { Dialog } from "./dialog";

export interface SecretProps {
	readonly title: string;
	/** What it is for, and that it is not shown again. */
	readonly text: string;
	/** By what each is called; undefined: nothing is shown. */
	readonly secrets: Readonly<Record<string, string>> | undefined;
	readonly done: string;
	readonly copyLabel: string;
	readonly onClose: () => void;
}

/** What the API shows once: it stays until the person says that it is kept. */
export const Secret = ({ title, text, secrets, done, copyLabel, onClose }: SecretProps) => (
	<Dialog title={title} isOpen={secrets !== undefined} onClose={onClose}>
		<p>{text}</p>
		{Object.entries(secrets ?? {}).map(([name, secret]) => (
			<div key={name} className="field">
				<span className="strong">{name}</span>
				<span className="with-unit">
					<pre>{secret}</pre>
					<button type="button" onClick={() => void copy(secret)}>
						{copyLabel}
					</button>
				</span>
			</div>
		))}
		<footer>
			<button type="button" className="solid" onClick={onClose}>
				{done}
			</button>
		</footer>
	</Dialog>
);
