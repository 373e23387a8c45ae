import type { Static } from "@sinclair/typebox";
import { useState } from "react";
import {
	type RecoveryCodes,
	TotpConfirm,
	TotpDrop,
	TotpEnrol,
	type TotpEnrolment,
} from "../../../areas/access/sign-in/schema";
import { copy } from "../../kit/copy";
import { Dialog } from "../../kit/dialog";
import { Form } from "../../kit/forms/form";
import { Card } from "../../kit/page";
import { QrCode } from "../../kit/qr-code";
import { CopiedText } from "../../kit/secret";
import { toast } from "../../kit/toasts";
import { Badge } from "../../kit/values";
import { t } from "../../messages/access/own-sign-in";
import type { Me } from "../../session";

export function SecondFactorCard({ me: { hasPassword, hasSecondFactor } }: { readonly me: Me }) {
	const [open, setOpen] = useState<"on" | "off">();
	const [codes, setCodes] = useState<readonly string[]>();
	const close = () => setOpen(undefined);
	if (!hasPassword) return null;
	return (
		<Card title={t.factor} text={t.factorText}>
			<div className="actions">
				<Badge tone={hasSecondFactor ? "good" : "quiet"}>{hasSecondFactor ? t.on : t.off}</Badge>
				<button
					type="button"
					className={hasSecondFactor ? "danger" : "solid"}
					onClick={() => setOpen(hasSecondFactor ? "off" : "on")}
				>
					{hasSecondFactor ? t.turnOff : t.setUp}
				</button>
			</div>
			<Dialog title={`${t.factor}: ${t.setUp}`} isOpen={open === "on"} onClose={close}>
				<SetUp
					onClose={close}
					onCodes={(recoveryCodes) => {
						close();
						setCodes(recoveryCodes);
					}}
				/>
			</Dialog>
			<Dialog title={`${t.factor}: ${t.turnOff}`} isOpen={open === "off"} onClose={close}>
				<TurnOff onClose={close} />
			</Dialog>
			<Dialog title={t.recovery} isOpen={codes !== undefined} onClose={() => setCodes(undefined)}>
				<p>{t.recoveryText}</p>
				<pre>{codes?.join("\n")}</pre>
				<footer>
					<button type="button" onClick={() => void copy(codes?.join("\n") ?? "")}>
						{t.copyAll}
					</button>
					<button type="button" className="solid" onClick={() => setCodes(undefined)}>
						{t.kept}
					</button>
				</footer>
			</Dialog>
		</Card>
	);
}

type Enrolment = Static<typeof TotpEnrolment>;

interface SetUpProps {
	readonly onClose: () => void;
	readonly onCodes: (codes: readonly string[]) => void;
}

const password = { name: "password", kind: "password", autoComplete: "current-password" } as const;
const totpCode = { name: "totpCode", label: t.code, hint: t.codeHint, autoComplete: "one-time-code" } as const;

/** Asks for the password, then for a code of the app that has the key. */
function SetUp({ onClose, onCodes }: SetUpProps) {
	const [enrolment, setEnrolment] = useState<Enrolment>();
	if (!enrolment)
		return (
			<Form
				to={["POST", "/auth/totp/enrol"]}
				schema={TotpEnrol}
				texts={t}
				fields={[password]}
				action={t.continue}
				onCancel={onClose}
				onDone={(data: Enrolment) => setEnrolment(data)}
			>
				<p>{t.setUpText}</p>
			</Form>
		);
	const { secret, uri } = enrolment;
	return (
		<Form
			// A form of its own, not that of the password.
			key="code"
			to={["POST", "/auth/totp/confirm"]}
			schema={TotpConfirm}
			texts={t}
			fields={[totpCode]}
			action={t.confirm}
			onCancel={onClose}
			onDone={({ recoveryCodes }: Static<typeof RecoveryCodes>) => onCodes(recoveryCodes)}
		>
			<p>{t.scanText}</p>
			<QrCode of={uri} label={t.qr} />
			<CopiedText name={t.key} text={secret} shown={secret.match(/.{1,4}/g)?.join(" ") ?? secret} />
		</Form>
	);
}

function TurnOff({ onClose }: { readonly onClose: () => void }) {
	const [isRecovery, setRecovery] = useState(false);
	return (
		<Form
			key={String(isRecovery)}
			to={["DELETE", "/auth/totp"]}
			schema={TotpDrop}
			texts={t}
			fields={[password, isRecovery ? { name: "recoveryCode", isRequired: true } : { ...totpCode, isRequired: true }]}
			below={
				<button type="button" className="link small" onClick={() => setRecovery(!isRecovery)}>
					{isRecovery ? t.useApp : t.useRecovery}
				</button>
			}
			action={t.turnOff}
			onCancel={onClose}
			onDone={() => {
				onClose();
				toast(t.turnedOff);
			}}
		>
			<p>{t.turnOffText}</p>
		</Form>
	);
}
