ALTER TABLE `credit_note_lines` ADD `charge_id` text;--> statement-breakpoint
CREATE INDEX `credit_note_lines_charge` ON `credit_note_lines` (`charge_id`) WHERE charge_id IS NOT NULL;--> statement-breakpoint
ALTER TABLE `invoice_lines` ADD `charge_id` text;--> statement-breakpoint
CREATE INDEX `invoice_lines_correction` ON `invoice_lines` (`charge_id`) WHERE charge_id IS NOT NULL AND amount LIKE '-%';