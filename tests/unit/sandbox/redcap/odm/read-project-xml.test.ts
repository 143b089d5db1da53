import { expect } from 'chai';
import { readProjectXml } from '../../../../../src/sandbox/redcap/odm/read-project-xml.js';
import { rejection } from '../../../../support/rejection.js';

/** A document as REDCap writes it: tabs, bare line breaks, numeric rights from older versions. */
function document({ globals = '', data = '', opening = '' } = {}): string {
  return `<?xml version="1.0" encoding="UTF-8" ?>${opening}
<ODM xmlns="http://www.cdisc.org/ns/odm/v1.3" xmlns:redcap="https://projectredcap.org" CreationDateTime="2025-05-02T12:06:31" SourceSystemVersion="15.2.1">
<Study OID="Project.Walks">
<GlobalVariables>
	<StudyName>Walks</StudyName>
	<redcap:RecordAutonumberingEnabled>0</redcap:RecordAutonumberingEnabled>
	<redcap:SurveysEnabled>1</redcap:SurveysEnabled>
	<redcap:RequireChangeReason>1</redcap:RequireChangeReason>
	<redcap:MissingDataCodes>UNK, Unknown</redcap:MissingDataCodes>${globals}
</GlobalVariables>
<MetaDataVersion OID="Metadata.Walks" Name="Walks" redcap:RecordIdField="walk_id">
	<FormDef OID="Form.walk" Name="A walk" Repeating="No" redcap:FormName="walk">
		<ItemGroupRef ItemGroupOID="walk.walk_id" Mandatory="No"/>
		<ItemGroupRef ItemGroupOID="walk.walk_complete" Mandatory="No"/>
	</FormDef>
	<FormDef OID="Form.stop" Name="A stop" Repeating="No" redcap:FormName="stop">
		<ItemGroupRef ItemGroupOID="stop.stop_name" Mandatory="No"/>
	</FormDef>
	<ItemGroupDef OID="walk.walk_id" Name="A walk" Repeating="No">
		<ItemRef ItemOID="walk_id" redcap:Variable="walk_id"/>
		<ItemRef ItemOID="redcap_data_access_group" redcap:Variable="redcap_data_access_group"/>
		<ItemRef ItemOID="length" redcap:Variable="length"/>
		<ItemRef ItemOID="shoes___1" redcap:Variable="shoes"/>
		<ItemRef ItemOID="shoes___2" redcap:Variable="shoes"/>
		<ItemRef ItemOID="weather" redcap:Variable="weather"/>
		<ItemRef ItemOID="photo" redcap:Variable="photo"/>
	</ItemGroupDef>
	<ItemGroupDef OID="walk.walk_complete" Name="Form Status" Repeating="No">
		<ItemRef ItemOID="walk_complete" redcap:Variable="walk_complete"/>
	</ItemGroupDef>
	<ItemGroupDef OID="stop.stop_name" Name="A stop" Repeating="No">
		<ItemRef ItemOID="stop_name" redcap:Variable="stop_name"/>
	</ItemGroupDef>
	<ItemDef OID="walk_id" Name="walk_id" DataType="text" redcap:Variable="walk_id" redcap:FieldType="text">
		<Question><TranslatedText>Walk</TranslatedText></Question>
	</ItemDef>
	<ItemDef OID="redcap_data_access_group" Name="redcap_data_access_group" redcap:Variable="redcap_data_access_group">
		<Question><TranslatedText>Data Access Group</TranslatedText></Question>
	</ItemDef>
	<ItemDef OID="length" Name="length" DataType="float" redcap:Variable="length" redcap:FieldType="text" redcap:TextValidationType="float" redcap:FieldNote="one
two" redcap:BranchingLogic="[weather] = &quot;1&quot;">
		<Question><TranslatedText>How far?</TranslatedText><redcap:FormattedTranslatedText>How &lt;b&gt;far&lt;/b&gt;?</redcap:FormattedTranslatedText></Question>
		<RangeCheck Comparator="GE" SoftHard="Soft">
			<CheckValue>1</CheckValue>
			<ErrorMessage><TranslatedText>Outside.</TranslatedText></ErrorMessage>
		</RangeCheck>
	</ItemDef>
	<ItemDef OID="shoes___1" Name="shoes___1" DataType="boolean" redcap:Variable="shoes" redcap:FieldType="checkbox">
		<Question><TranslatedText>Shoes</TranslatedText></Question>
		<CodeListRef CodeListOID="shoes___1.choices"/>
	</ItemDef>
	<ItemDef OID="shoes___2" Name="shoes___2" DataType="boolean" redcap:Variable="shoes" redcap:FieldType="checkbox">
		<Question><TranslatedText>Shoes</TranslatedText></Question>
	</ItemDef>
	<ItemDef OID="weather" Name="weather" DataType="text" redcap:Variable="weather" redcap:FieldType="select">
		<Question><TranslatedText>Weather</TranslatedText></Question>
		<CodeListRef CodeListOID="weather.choices"/>
	</ItemDef>
	<ItemDef OID="photo" Name="photo" DataType="text" redcap:Variable="photo" redcap:FieldType="file">
		<Question><TranslatedText>Photo</TranslatedText></Question>
	</ItemDef>
	<ItemDef OID="walk_complete" Name="walk_complete" redcap:Variable="walk_complete" redcap:FieldType="select" redcap:SectionHeader="Form Status">
		<Question><TranslatedText>Complete?</TranslatedText></Question>
	</ItemDef>
	<ItemDef OID="stop_name" Name="stop_name" DataType="text" redcap:Variable="stop_name" redcap:FieldType="textarea">
		<Question><TranslatedText>Stop</TranslatedText></Question>
	</ItemDef>
	<CodeList OID="shoes___1.choices" Name="shoes___1" redcap:Variable="shoes" redcap:CheckboxChoices="1, Boots|2, Shoes, old">
		<CodeListItem CodedValue="1"><Decode><TranslatedText>Checked</TranslatedText></Decode></CodeListItem>
	</CodeList>
	<CodeList OID="weather.choices" Name="weather" redcap:Variable="weather">
		<CodeListItem CodedValue="1"><Decode><TranslatedText>Sun &amp; wind</TranslatedText></Decode></CodeListItem>
		<CodeListItem CodedValue="2"><Decode><TranslatedText>Rain</TranslatedText></Decode></CodeListItem>
	</CodeList>
</MetaDataVersion>
</Study>
${data}
</ODM>`;
}

const GLOBALS = `
	<redcap:RepeatingInstrumentsAndEvents>
		<redcap:RepeatingInstruments>
			<redcap:RepeatingInstrument redcap:UniqueEventName="event_1_arm_1" redcap:RepeatInstrument="stop" redcap:CustomLabel="[stop_name]"/>
		</redcap:RepeatingInstruments>
	</redcap:RepeatingInstrumentsAndEvents>
	<redcap:DataAccessGroupsGroup>
		<redcap:DataAccessGroups group_name="Le Havre"/>
		<redcap:DataAccessGroups group_name="dag-b"/>
	</redcap:DataAccessGroupsGroup>
	<redcap:SurveysGroup>
		<redcap:Surveys form_name="walk" title="Your walk" save_and_return="1" theme="3"/>
	</redcap:SurveysGroup>
	<redcap:SurveysQueueGroup>
		<redcap:SurveysQueue active="1" survey_id="walk"/>
		<redcap:SurveysQueue active="0" survey_id="walk"/>
	</redcap:SurveysQueueGroup>
	<redcap:UserRolesGroup>
		<redcap:UserRoles role_name="reader" unique_role_name="U-1234567890" graphical="1" data_export_instruments="[walk,2][stop,1]" data_entry="[walk,2][stop,0]" dts="0"/>
	</redcap:UserRolesGroup>
	<redcap:ReportsGroup>
		<redcap:Reports title="Long ones" unique_report_name="R-1234567890" advanced_logic="[length] &gt; 10" redcap_reports_fields="walk_id,length"/>
	</redcap:ReportsGroup>`;

const DATA = `<ClinicalData StudyOID="Project.Walks" MetaDataVersionOID="Metadata.Walks">
	<SubjectData SubjectKey="W-1" redcap:RecordIdField="walk_id">
			<FormData FormOID="Form.walk" FormRepeatKey="1">
				<ItemGroupData ItemGroupOID="walk.walk_id" ItemGroupRepeatKey="1">
					<ItemData ItemOID="walk_id" Value="W-1"/>
					<ItemData ItemOID="redcap_data_access_group" Value="le_havre"/>
					<ItemData ItemOID="walk_timestamp" Value="2025-05-01 10:00:00"/>
					<ItemData ItemOID="length" Value="12
km"/>
					<ItemData ItemOID="shoes___2" Value="1"/>
					<ItemDataBase64Binary ItemOID="photo" redcap:DocName="sea.jpg" redcap:MimeType="image/jpeg"><![CDATA[AAEC]]></ItemDataBase64Binary>
				</ItemGroupData>
			</FormData>
			<FormData FormOID="Form.stop" FormRepeatKey="2">
				<ItemGroupData ItemGroupOID="stop.stop_name" ItemGroupRepeatKey="1">
					<ItemData ItemOID="stop_name" Value="Bench"/>
				</ItemGroupData>
			</FormData>
	</SubjectData>
	<SubjectData SubjectKey="W-2" redcap:RecordIdField="walk_id">
	</SubjectData>
</ClinicalData>`;

describe('A project XML', () => {
  it("provides the fields and choices, translating REDCap's other names", async () => {
    const { study } = await readProjectXml(document());

    expect(study.fields.map(({ name, instrument, type }) => [name, instrument, type])).to.deep.equal([
      ['walk_id', 'walk', 'text'],
      ['length', 'walk', 'text'],
      ['shoes', 'walk', 'checkbox'],
      ['weather', 'walk', 'dropdown'],
      ['photo', 'walk', 'file'],
      ['stop_name', 'stop', 'notes'],
    ]);
    expect(study.fields[1]).to.include({
      label: 'How <b>far</b>?',
      validationType: 'number',
      validationMin: '1',
      validationMax: '',
      note: 'one\ntwo',
      branchingLogic: '[weather] = "1"',
    });
    expect(study.fields[2]?.choicesOrCalculations).to.equal('1, Boots | 2, Shoes, old');
    expect(study.fields[3]?.choicesOrCalculations).to.equal('1, Sun & wind | 2, Rain');
    expect(study.instruments).to.deep.equal([
      { name: 'walk', label: 'A walk' },
      { name: 'stop', label: 'A stop' },
    ]);
  });

  it('provides the settings, and keeps those that the sandbox does not use', async () => {
    const { project } = (await readProjectXml(document())).study;

    expect(project).to.deep.include({
      title: 'Walks',
      surveysEnabled: true,
      missingDataCodes: 'UNK, Unknown',
      creationTime: '2025-05-02 12:06:31',
      settings: { record_autonumbering_enabled: 0 },
      others: { RequireChangeReason: '1' },
    });
  });

  it('reads settings that are on or off as numbers, and others as text', async () => {
    const globals = [
      '<redcap:CustomRecordLabel>1</redcap:CustomRecordLabel>',
      '<redcap:SchedulingEnabled>true</redcap:SchedulingEnabled>',
      '<redcap:RandomizationEnabled/>',
      '<redcap:Purpose>7</redcap:Purpose>',
    ].join('');
    const { study } = await readProjectXml(document({ globals }));

    expect(study.project.purpose).to.equal(0);
    expect(study.project.settings).to.deep.equal({
      record_autonumbering_enabled: 0,
      custom_record_label: '1',
      scheduling_enabled: 1,
    });
  });

  it('provides repeats, groups, roles, surveys and reports, and notes what it cannot load', async () => {
    const { study, notes } = await readProjectXml(document({ globals: GLOBALS }));

    expect(study.repeating).to.deep.equal([{ event: '', instrument: 'stop', customLabel: '[stop_name]' }]);
    expect(study.groups).to.deep.equal([
      { name: 'Le Havre', uniqueName: 'le_havre', id: 1 },
      { name: 'dag-b', uniqueName: 'dagb', id: 2 },
    ]);
    const [role] = study.roles ?? [];
    expect(role).to.deep.include({
      uniqueName: 'U-1234567890',
      label: 'reader',
      formRights: { forms: { walk: 2, stop: 0 }, formsExport: { walk: 2, stop: 1 } },
      others: { dts: '0' },
    });
    expect(role?.rights).to.include({ stats_and_charts: 1, api_export: 0 });
    expect(study.surveys).to.deep.equal([
      { instrument: 'walk', title: 'Your walk', hasReturnCodes: true, others: { theme: '3' } },
    ]);
    expect(study.reports).to.deep.equal([
      {
        id: 1,
        title: 'Long ones',
        uniqueName: 'R-1234567890',
        fields: ['walk_id', 'length'],
        filterLogic: '[length] > 10',
        isFilteredByRecord: false,
        filterEvents: [],
        filterGroups: [],
        others: {},
      },
    ]);
    expect(notes).to.deep.equal(['redcap:SurveysQueue: the sandbox has no place for them (2 not loaded)']);
  });

  it('provides the records with their places, groups and files', async () => {
    const { study } = await readProjectXml(document({ globals: GLOBALS, data: DATA }));
    const group = { redcap_data_access_group: 'le_havre' };

    expect(study.rows).to.deep.equal([
      {
        walk_id: 'W-1',
        walk_timestamp: '2025-05-01 10:00:00',
        length: '12\nkm',
        shoes___2: '1',
        photo: 'sea.jpg',
        ...group,
      },
      {
        walk_id: 'W-1',
        redcap_repeat_instrument: 'stop',
        redcap_repeat_instance: '2',
        stop_name: 'Bench',
        ...group,
      },
      { walk_id: 'W-2' },
    ]);
    expect(study.files).to.deep.equal([
      {
        record: 'W-1',
        event: '',
        instrument: '',
        instance: 0,
        field: 'photo',
        name: 'sea.jpg',
        type: 'image/jpeg',
        bytes: Buffer.from([0, 1, 2]),
      },
    ]);
  });

  it('notes how many values belong to an instance of an instrument that does not repeat', async () => {
    const { study, notes } = await readProjectXml(document({ data: DATA }));

    expect(study.rows).to.have.length(2);
    expect(notes).to.deep.equal([
      '1 values of repeat instances whose instrument does not repeat: not loaded',
    ]);
  });

  it('is read despite control characters that REDCap lets through', async () => {
    const { study } = await readProjectXml(document({ data: DATA.replace('Bench', 'Be\u0000n\u000bch') }));

    expect(study.rows[1]?.stop_name ?? study.rows[0]?.stop_name).to.equal(undefined);
    const repeated = await readProjectXml(
      document({ globals: GLOBALS, data: DATA.replace('Bench', 'Be\u0000n\u000bch') }),
    );
    expect(repeated.study.rows[1]?.stop_name).to.equal('Bench');
  });

  for (const [what, opening] of [
    ['nested entities', '<!DOCTYPE ODM [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]>'],
    ['an entity from a file', '<!DOCTYPE ODM [<!ENTITY x SYSTEM "file:///etc/hostname">]>'],
    ['an external document type', '<!DOCTYPE ODM SYSTEM "http://127.0.0.1:1/odm.dtd">'],
  ] as const) {
    it(`is refused if it declares ${what}`, async () => {
      expect((await rejection(readProjectXml(document({ opening })))).errors).to.deep.equal([
        { field: 'project XML line 1', message: 'declares a document type, which is refused' },
      ]);
    });
  }

  for (const [what, xml, line] of [
    ['an undeclared entity', document().replace('Walks</StudyName>', '&secret;</StudyName>'), 5],
    ['an unclosed element', '<ODM><Study>', 1],
    ['text that is not XML', 'secret', 1],
    ['nothing', '', 1],
  ] as const) {
    it(`is refused with a line number for ${what}, without its text`, async () => {
      const { errors, message } = await rejection(readProjectXml(xml));

      expect(errors).to.deep.equal([
        { field: `project XML line ${line}`, message: 'is not well-formed XML' },
      ]);
      expect(message).not.to.include('secret');
    });
  }

  for (const part of ['<!--', '<![CDATA[', '<a b="']) {
    it(`is refused in time linear in its length, if it consists of ${part}`, async () => {
      const before = process.cpuUsage();
      await rejection(readProjectXml(`<ODM>${part.repeat(40_000)}`));
      const { user } = process.cpuUsage(before);

      // Searching the rest of the document for the end of each part takes seconds.
      expect(user / 1_000).to.be.below(2_000);
    });
  }

  for (const [what, from, to, rule] of [
    [
      'a field',
      'redcap:Variable="weather"',
      'redcap:Variable="*/ ran() /*"',
      /^has a field whose name does not fit/,
    ],
    [
      'an instrument',
      'redcap:FormName="stop"',
      'redcap:FormName="*/ ran() /*"',
      /^has an instrument whose name does not/,
    ],
    [
      'an event',
      '<FormDef OID="Form.walk"',
      '<StudyEventDef OID="Event.1" Name="One" redcap:EventName="One" redcap:ArmNum="1" redcap:ArmName="A" redcap:UniqueEventName="*/ ran() /*"/><FormDef OID="Form.walk"',
      /^has an event whose name does not fit/,
    ],
  ] as const)
    it(`is refused if the name of ${what} is one that a data dictionary may not have`, async () => {
      const { errors, message } = await rejection(readProjectXml(document().replaceAll(from, to)));

      expect(errors).to.have.length(1);
      expect(errors).to.have.nested.property('[0].field', 'project XML');
      expect(errors).to.have.nested.property('[0].message').that.matches(rule);
      expect(message).not.to.include('ran()');
    });

  it('is refused if it is XML of another kind', async () => {
    expect((await rejection(readProjectXml('<records/>'))).errors).to.deep.equal([
      { field: 'project XML', message: 'must be a project XML of REDCap (CDISC ODM with its fields)' },
    ]);
  });
});
