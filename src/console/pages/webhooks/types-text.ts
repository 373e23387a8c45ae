import type { Webhook } from "../../../areas/webhooks/schema";
import { fill } from "../../messages/language";
import { t } from "../../messages/webhooks";

export const typesText = ({ eventLogTypes }: Webhook): string =>
	eventLogTypes.length === 0 ? t.everything : fill(t.typesCount, { count: eventLogTypes.length });
