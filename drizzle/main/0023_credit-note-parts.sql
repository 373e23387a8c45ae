ALTER TABLE `credit_note_lines` ADD `invoice_line` integer;--> statement-breakpoint
ALTER TABLE `credit_notes` ADD `is_by_hand` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `credit_notes` ADD `voided_at` integer;