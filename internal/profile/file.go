package profile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"regexp"
	"strings"
)

// Read reads one profile and validates it. A field that this package does not
// know is refused: a slip in an edited file must not be ignored in silence.
// Fields that are left out are zero.
func Read(r io.Reader) (*Profile, error) {
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	var head struct {
		Schema *int `json:"profile"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return nil, unreadable(text, err)
	}
	switch {
	case head.Schema == nil:
		return nil, fmt.Errorf(`no profile: it does not begin with "profile": %d`, Schema)
	case *head.Schema != Schema:
		return nil, unknownSchema(*head.Schema)
	}
	p := new(Profile)
	strict := json.NewDecoder(bytes.NewReader(text))
	strict.DisallowUnknownFields()
	if err := strict.Decode(p); err != nil {
		return nil, unreadable(text, err)
	}
	if err := p.Validate(); err != nil {
		return nil, err
	}
	return p, nil
}

func unknownSchema(n int) error {
	return fmt.Errorf("a profile of format %d: this program reads format %d", n, Schema)
}

// unreadable is an error of the JSON package in words, with the line where it
// is known.
func unreadable(text []byte, err error) error {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return fmt.Errorf("line %d: no JSON: %w", line(text, syntax.Offset), syntax)
	case errors.As(err, &kind):
		return fmt.Errorf("line %d: %s is %s and should be %s", line(text, kind.Offset), cmp.Or(kind.Field, "the profile"), kind.Value, inWords(kind.Type.Kind()))
	}
	return errors.New(strings.TrimPrefix(err.Error(), "json: "))
}

// inWords is the kind of a field.
func inWords(k reflect.Kind) string {
	switch k {
	case reflect.Float64:
		return "a number"
	case reflect.Int:
		return "a whole number"
	case reflect.String:
		return "text"
	case reflect.Bool:
		return "true or false"
	}
	return "an object"
}

// line is the number of the line, from 1, that ends or lies beyond the offset.
func line(text []byte, offset int64) int {
	return 1 + bytes.Count(text[:min(int(offset), len(text))], []byte("\n"))
}

// pair is a [share, ns] that indenting has spread over four lines.
var pair = regexp.MustCompile(`\[\s+([^\s,\[\]]+),\s+([^\s,\[\]]+)\s+\]`)

// Write writes the profile as indented JSON, the same bytes for the same
// profile. An invalid one is not written.
func (p *Profile) Write(w io.Writer) error {
	if err := p.Validate(); err != nil {
		return err
	}
	text, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return err
	}
	text = pair.ReplaceAll(text, []byte("[$1, $2]"))
	_, err = w.Write(append(text, '\n'))
	return err
}
