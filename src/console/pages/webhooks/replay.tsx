import type { Static } from "@sinclair/typebox";
import { useState } from "react";
import type { Replay } from "../../../areas/webhooks/schema";
import { send } from "../../api";
import { Dialog } from "../../kit/dialog";
import { Form, TextField } from "../../kit/form";
import { toast } from "../../kit/toasts";
import { t } from "../../messages/webhooks";

/** A field gives the person's own time; the API wants an instant. */
const instant = (entered: unknown): string | undefined =>
	typeof entered === "string" ? new Date(entered).toISOString() : undefined;

export function ReplayButton({ path }: { readonly path: string }) {
	const [isOpen, setOpen] = useState(false);
	const close = () => setOpen(false);
	return (
		<>
			<button type="button" onClick={() => setOpen(true)}>
				{t.replay}
			</button>
			<Dialog title={t.replayTitle} isOpen={isOpen} onClose={close}>
				<Form
					action={t.replay}
					onCancel={close}
					submit={({ since, until }) =>
						send("POST", `${path}/replay`, { since: instant(since), until: instant(until) })
					}
					onDone={({ data }: { data: Static<typeof Replay> }) => {
						close();
						toast(data.firstSequence === null ? t.replayNone : t.replayed);
					}}
				>
					<TextField name="since" label={t.replaySince} type="datetime-local" isRequired />
					<TextField name="until" label={t.replayUntil} hint={t.replayHint} type="datetime-local" />
				</Form>
			</Dialog>
		</>
	);
}
